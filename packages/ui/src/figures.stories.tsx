import { Arrow, Change, Dial, Facts, Gain, Spark, Split, Toward, Wait } from "./figures.tsx";
import type { Stories } from "./story.ts";

const DAY = [1.0842, 1.085, 1.0847, 1.0861, 1.0858, 1.087, 1.0863, 1.0875];

export const stories = {
  Arrow: {
    up: () => (
      <span className="up">
        <Arrow direction="up" />
      </span>
    ),
    "down, large": () => (
      <span className="down">
        <Arrow direction="down" large />
      </span>
    ),
  },
  Change: {
    up: () => <Change direction="up">+0.12%</Change>,
    down: () => <Change direction="down">-0.40%</Change>,
    flat: () => <Change direction="flat">0.00%</Change>,
  },
  Toward: {
    up: () => <Toward direction="up">Higher</Toward>,
    down: () => <Toward direction="down">Lower</Toward>,
  },
  Gain: {
    gained: () => <Gain tone="up">+84.00</Gain>,
    lost: () => <Gain tone="down">-101.00</Gain>,
    neither: () => <Gain tone="flat">0.00</Gain>,
  },
  Wait: { "a figure on its way": () => <Wait like="1.085012" /> },
  Facts: {
    "with notes and a sum": () => (
      <Facts
        facts={[
          { name: "Stake", figure: "100.00" },
          { name: "Fee", note: "1% of the stake", figure: "1.00" },
          { name: "If right", figure: "+84.00", sum: true },
        ]}
      />
    ),
  },
  Split: {
    "two figures": () => (
      <Split
        parts={[
          { name: "Available", figure: "9,000.00" },
          { name: "In orders", figure: "200.00" },
        ]}
      />
    ),
    "three, one on its way": () => (
      <Split
        parts={[
          { name: "Available", figure: "9,000.00" },
          { name: "In orders", figure: "200.00" },
          { name: "Today", figure: <Wait like="+100.00" /> },
        ]}
      />
    ),
  },
  Spark: {
    "a day": () => <Spark points={DAY} />,
    large: () => <Spark points={DAY} width={160} height={48} />,
    "nothing moved": () => <Spark points={[1, 1, 1]} />,
  },
  Dial: {
    "just begun": () => <Dial left={1} size={44} />,
    "nearly over": () => <Dial left={0.1} size={44} />,
    over: () => <Dial left={0} size={44} />,
    "with a figure": () => (
      <Dial left={0.6} size={44}>
        18
      </Dial>
    ),
  },
} satisfies Stories;
