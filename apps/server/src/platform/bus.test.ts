import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { childEnd, relayBus } from "./bus-ipc.ts";
import { decodeEvent, encodeEvent } from "./bus-nats.ts";
import { createLocalBus } from "./bus.ts";

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

describe("within a process", () => {
  it("hands events to all subscribers in order of publication until they unsubscribe", () => {
    const bus = createLocalBus(() => undefined);
    const heard: string[] = [];
    const stop = bus.subscribe("configChanged", ({ version }) => heard.push(`a${version}`));
    bus.subscribe("configChanged", ({ version }) => heard.push(`b${version}`));
    bus.publish("configChanged", { version: 1 });
    stop();
    bus.publish("configChanged", { version: 2 });
    expect(heard).toEqual(["a1", "b1", "b2"]);
  });

  it("hides one subscriber's fault from the publisher and the other subscribers", () => {
    const faults: unknown[] = [];
    const heard: bigint[] = [];
    const bus = createLocalBus((error) => faults.push(error));
    bus.subscribe("accounts", () => {
      throw new Error("mine alone");
    });
    bus.subscribe("accounts", ({ members }) => heard.push(...members));
    bus.publish("accounts", { members: [7n] });
    expect(heard).toEqual([7n]);
    expect(faults).toEqual([new Error("mine alone")]);
  });
});

describe("between processes", () => {
  it("delivers an event with its bigints once to every other process, and not back to its sender", async () => {
    const heard: { by: string; event: unknown }[] = [];
    for (const name of ["market", "server", "other"]) {
      const child = fork(join(import.meta.dirname, "fixtures/bus-child.ts"), [name], { serialization: "advanced" });
      children.push(child);
      await once(child, "message");
      child.on("message", (message: { kind: string; by: string; event: unknown }) => {
        if (message.kind === "heard") heard.push(message);
      });
    }
    relayBus(children.map(childEnd));
    children[0]?.send("publish");
    while (heard.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    children[1]?.send("publish");
    while (heard.length < 6) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(heard.map(({ by }) => by).sort()).toEqual(["market", "market", "other", "other", "server", "server"]);
    expect(heard[0]?.event).toEqual({
      ticks: [{ symbol: "EURUSD", seq: 9_007_199_254_740_993n, time: 1_767_268_800_000n, price: 108_412n }],
      sealedThrough: [],
    });
  });

  it("preserves bigints over NATS", () => {
    const message = { topic: "orders", event: { members: [1n, 2n ** 62n], orderIds: [3n, 4n] } } as const;
    expect(decodeEvent(encodeEvent(message))).toEqual(message);
  });
});
