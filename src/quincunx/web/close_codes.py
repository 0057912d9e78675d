"""The codes with which the server closes WebSockets."""

POLICY_VIOLATION = 1008
TRY_AGAIN_LATER = 1013
