"""Whether one build is slower than another, from paired times alone.

A ratio is time of the new build over time of the old one, taken side by side in
one round. A set of rounds accuses only if its median is beyond the threshold,
nearly all rounds agree on the direction (sign test), and an interval around the
median leaves out 1 (bootstrap). What accuses must do so again in a second set
that was measured afterwards.
"""
import dataclasses
import math
import random
import statistics

#: Chance that equal builds pass for different by the sign test, one set of rounds.
ALPHA = 0.02
#: Of the bootstrap interval around the median.
LEVEL = 0.98
RESAMPLES = 2000


def sign_test(ratios):
    """The chance that at least as many of the rounds are on the side where most
    are, if both sides were equally likely; rounds at 1 count for neither."""
    above = sum(ratio > 1 for ratio in ratios)
    below = sum(ratio < 1 for ratio in ratios)
    count, most = above + below, max(above, below)
    return min(1.0, sum(math.comb(count, k) for k in range(most, count + 1)) / 2 ** count)


def median_interval(ratios, level=LEVEL, seed=1):
    """Ends of an interval around the median, from rounds drawn anew many times.
    The same for the same ratios."""
    draw = random.Random(seed)
    medians = sorted(statistics.median(draw.choices(ratios, k=len(ratios)))
                     for _ in range(RESAMPLES))
    cut = int((1 - level) / 2 * RESAMPLES)
    return medians[cut], medians[-1 - cut]


@dataclasses.dataclass
class Verdict:
    median: float
    low: float
    high: float
    chance: float
    direction: str  # "slower", "faster" or "same"


def judge(ratios, threshold):
    """The verdict of one set of rounds; `threshold` 0.05 means five percent."""
    median = statistics.median(ratios)
    low, high = median_interval(ratios)
    chance = sign_test(ratios)
    direction = "same"
    if chance <= ALPHA and median > 1 + threshold and low > 1:
        direction = "slower"
    elif chance <= ALPHA and median < 1 / (1 + threshold) and high < 1:
        direction = "faster"
    return Verdict(median, low, high, chance, direction)


@dataclasses.dataclass
class Finding:
    """Both sets for one program and figure; the second is None where the first
    found nothing."""
    first: Verdict
    second: Verdict | None

    @property
    def confirmed(self):
        """The direction that both sets found, or "same"."""
        if self.second and self.first.direction == self.second.direction:
            return self.first.direction
        return "same"


def compare(ratios, again, threshold):
    """The finding of a set of rounds; `again()` measures the second one, which
    only an accusation needs."""
    first = judge(ratios, threshold)
    return Finding(first, None if first.direction == "same" else judge(again(), threshold))
