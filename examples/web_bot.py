"""Plays a seat of a room on a server: web_bot.py ADDRESS ROOM SEAT SECRET

The page of a room shows a link for each free seat, with the room, the seat and the secret.
"""

import random
import sys

from quincunx.client import Client, RequestError


def choose(state, moves):
    """Returns a move that wins at once, or any move."""
    for move in moves:
        after = state.play(move)
        if state.turn in after.winners:
            return move
    return random.choice(moves)


def main(address, room, seat, secret):
    with Client(address) as client:
        game = client.join(room, {seat: secret})
        print(f"to join again, use the secret {game.secrets[seat]}", file=sys.stderr)
        while not game.over:
            if seat in game.legal:
                try:
                    game.play(choose(game.state, game.legal[seat]), seat)
                except RequestError as error:
                    if error.code not in ("late", "over"):  # the board changed while it chose
                        raise
            game.wait()
        print(game.status)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
