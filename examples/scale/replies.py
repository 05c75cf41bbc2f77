"""Conversations made up with a seed, one of ten replies in each line: replies.py REPLIES FILE"""

import json
import random
import sys

EACH = 10
WORDS = (
    "the a your our this that bike ride wheel chain brake oil road rain hill shop seat tyre pump light "
    "will can should is are was make take check turn clean keep bring send book fix try look need want "
    "good quick small new dry clear right ready simple easy today now then soon again first next and or but so"
).split()
OPENERS = ["Happy to help!", "Sure thing.", "Thanks for asking.", "No worries!", "Kindly be advised:", "Hello,"]


def reply(draw):
    words = " ".join(draw.choice(WORDS) for _ in range(draw.randint(6, 14)))
    return f"{draw.choice(OPENERS)} {words.capitalize()}{draw.choice('..!?')}"


def main():
    number, file = int(sys.argv[1]), sys.argv[2]
    draw = random.Random(7)
    with open(file, "w") as out:
        for at in range(-(-number // EACH)):
            messages = []
            for _ in range(EACH):
                messages.append({"role": "user", "content": "And then?"})
                messages.append({"role": "assistant", "content": reply(draw)})
            out.write(json.dumps({"session_id": f"s{at:07}", "messages": messages}) + "\n")


main()
