"""Arithmetic with the same bits on every machine, where the C library's differs.

Compiled; imported by search.
"""

import numpy as np

from quincunx.jit import jit

# A float64 is  sign 1 bit | exponent 11 bits, plus EXPONENT_BIAS | mantissa 52 bits.
MANTISSA_BITS = 52
MANTISSA_MASK = (1 << MANTISSA_BITS) - 1
EXPONENT_BIAS = 1023
SQRT_2_MANTISSA = 0x6A09E667F3BCD

# The natural logarithm of 2 in two parts. The first ends in 21 zero bits, so that its product
# with an exponent is exact.
LOG_2_HIGH = float.fromhex("0x1.62e42fee00000p-1")
LOG_2_LOW = float.fromhex("0x1.a39ef35793c76p-33")

SIGNATURES = {"log": "(x: f64) -> f64"}


@jit
def log(x):
    """Returns the natural logarithm of a positive normal number, with an error below 1 ulp.

    x = (1 + f) 2^exponent with 1 + f between sqrt(1/2) and sqrt(2). With s = f / (2 + f),
    log(1 + f) = 2 (s + s^3/3 + s^5/5 + ...) = f - (f^2/2 - s (f^2/2 + series)), where the series
    is 2/3 s^2 + 2/5 s^4 + ...; the terms after s^22 are below the precision. Only + - * / and bit
    operations, which IEEE 754 defines to the last bit.
    """
    bits = np.float64(x).view(np.int64)
    mantissa = bits & MANTISSA_MASK
    halve = np.int64(mantissa >= SQRT_2_MANTISSA)
    exponent = (bits >> MANTISSA_BITS) - EXPONENT_BIAS + halve
    f = np.int64((EXPONENT_BIAS - halve) << MANTISSA_BITS | mantissa).view(np.float64) - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    # Two chains of every other term, which a processor computes at the same time.
    odd = 2 / 3 + w * (2 / 7 + w * (2 / 11 + w * (2 / 15 + w * (2 / 19 + w * (2 / 23)))))
    even = 2 / 5 + w * (2 / 9 + w * (2 / 13 + w * (2 / 17 + w * (2 / 21))))
    half_square = 0.5 * f * f
    correction = s * (half_square + (z * odd + w * even)) + exponent * LOG_2_LOW
    return exponent * LOG_2_HIGH - ((half_square - correction) - f)
