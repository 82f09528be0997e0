"""Letters and menaces as drawn on the cards of the terminal, small and large."""

from __future__ import annotations

from wonderland.games.letters.rules.components import Menace

GLYPHS = {
    "A": ("▄▀▄", "█▀█", "▀ ▀"),
    "L": ("█  ", "█  ", "▀▀▀"),
    "I": ("▀█▀", " █ ", "▀▀▀"),
    "C": ("▄▀▀", "█  ", " ▀▀"),
    "E": ("█▀▀", "█▀▀", "▀▀▀"),
}
LARGE_GLYPHS = {
    "A": (" ▄██▄ ", "██  ██", "██████", "██  ██", "██  ██"),
    "L": ("██    ", "██    ", "██    ", "██    ", "██████"),
    "I": ("██████", "  ██  ", "  ██  ", "  ██  ", "██████"),
    "C": (" ▄████", "██    ", "██    ", "██    ", " ▀████"),
    "E": ("██████", "██    ", "████  ", "██    ", "██████"),
}
PICTURES = {
    Menace.DUCHESS: "(>__<)",  # too much pepper
    Menace.MAD_HATTER: "_|==|_",  # the hat
    Menace.MARCH_HARE: r"(\__/)",  # the ears
    Menace.MOCK_TURTLE: "(###)o",  # the shell
    Menace.WALRUS: "(•vv•)",  # the tusks
    Menace.CARPENTER: "[]====",  # the hammer
    Menace.KING_OF_HEARTS: r"|\/\/|",  # the crown
}
LARGE_PICTURES = {
    Menace.DUCHESS: (r" .-^^^^-. ", r"( ~~~~~~ )", r" | >  < | ", r" |  __  | ", r"  \_/\_/  "),
    Menace.MAD_HATTER: (r"  ______  ", r"  |    |  ", r"  |10/6|  ", r"__|____|__", r"  (o  o)  "),
    Menace.MARCH_HARE: (r"  /\  /\  ", r"  ||  ||  ", r"  (o  o)  ", r" =( \/ )= ", r"   \__/   "),
    Menace.MOCK_TURTLE: (r"  .----.  ", r" /#/\/\#\ ", r"|#/\/\/#|o", r" \______/ ", r"  U    U  "),
    Menace.WALRUS: (r"  .----.  ", r" / o  o \ ", r"( :(__): )", r" \_|  |_/ ", r"   V  V   "),
    Menace.CARPENTER: (r" .______. ", r" |______|>", r"    ||    ", r"    ||    ", r"    []    "),
    Menace.KING_OF_HEARTS: (r" .  ..  . ", r" |\/\/\/| ", r" | ♥  ♥ | ", r" |______| "),
}
