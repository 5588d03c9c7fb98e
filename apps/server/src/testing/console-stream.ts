/** A members' stream together with a test's console, with listeners for what is pushed. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { formatId, type MemberId } from "@fairtick/domain";
import type { NAMED_TOPICS, StreamMessage } from "@fairtick/protocol";
import { waitUntil } from "@fairtick/testkit";
import { WebSocket } from "ws";
import { readFreshNotices, readGoneAnnouncements } from "../features/notices/index.ts";
import { attachStream } from "../features/stream/index.ts";
import { readSupportMessage } from "../features/support/index.ts";
import { systemClock } from "../platform/clock.ts";
import type { ConsoleWorld } from "./console-world.ts";

export interface ConsoleStream {
  /** Collects what a member's socket receives from now on. Null listens as a visitor. */
  listen(memberId: MemberId | null, topic: (typeof NAMED_TOPICS)[number]): Promise<readonly StreamMessage[]>;
  close(): Promise<void>;
}

export async function openConsoleStream({ context }: ConsoleWorld): Promise<ConsoleStream> {
  const members = new Map<string, MemberId>();
  const sockets: WebSocket[] = [];
  const server = createServer();
  const stream = attachStream(server, {
    clock: systemClock,
    bus: context.bus,
    log: context.log,
    security: { note: () => undefined },
    publicUrl: "http://127.0.0.1",
    authenticate: async (token) => ({ sessionId: 1n, memberId: members.get(token) ?? 0n }),
    decimalsOf: () => undefined,
    members: { readOrders: async () => [], readRunningOrderIds: async () => [], readSummaries: async () => [] },
    readSupportMessage: (memberId, messageId) => readSupportMessage(context, memberId, messageId),
    notices: {
      readFresh: (memberIds) => readFreshNotices(context, memberIds),
      readGone: () => readGoneAnnouncements(context),
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    async listen(memberId, topic) {
      const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/client/stream`);
      sockets.push(socket);
      const heard: StreamMessage[] = [];
      socket.on("message", (data: Buffer) => heard.push(JSON.parse(data.toString()) as StreamMessage));
      await new Promise((resolve) => socket.once("open", resolve));
      if (memberId !== null) {
        const token = formatId("member", memberId);
        members.set(token, memberId);
        socket.send(JSON.stringify({ op: "auth", token }));
      }
      socket.send(JSON.stringify({ op: "subscribe", topics: [topic] }));
      await waitUntil("the subscription", () => heard.some((said) => said.t === "ok" && said.op === "subscribe"));
      return heard;
    },
    async close() {
      for (const socket of sockets) socket.terminate();
      await stream.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
