"""The rules of Race on texts, for comparison: what an author passes to `check_game`."""


def legal(text):
    """Returns the moves of the seat to move."""
    columns, seat, _ = parsed(text)
    if "e" in columns:
        return set()
    here = "abcde".index(columns[seat])
    return {f"{column}{seat + 1}" for i, column in enumerate("abcde") if abs(i - here) == 1}


def play(text, move):
    """Returns the texts of all positions to which a move may lead."""
    columns, seat, wind = parsed(text)
    here, target = "abcde".index(columns[seat]), "abcde".index(move[0])
    further = 2 * target - here
    if wind == "1" and 0 <= further <= 4:
        target = further
    columns[seat] = "abcde"[target]
    return {f"{''.join(columns)} {'bw'[seat]} {next_wind}" for next_wind in NEXT_WINDS[wind]}


def scores(text):
    """Returns 1 for the seat on the last column."""
    return [float(column == "e") for column in parsed(text)[0]]


NEXT_WINDS = {"-": "-", "0": "01", "1": "01"}


def parsed(text):
    """Returns columns, seat to move, wind."""
    columns, turn, wind = text.split()
    return [*columns], "wb".index(turn), wind
