import type { Connection } from "./connection.ts";

export type MemberTopic = "orders" | "account";

/** The open sockets of each member. */
export class MemberSockets {
  readonly #byMember = new Map<bigint, Set<Connection>>();

  add(member: bigint, connection: Connection): void {
    const those = this.#byMember.get(member) ?? new Set();
    this.#byMember.set(member, those.add(connection));
  }

  remove(member: bigint, connection: Connection): void {
    const those = this.#byMember.get(member);
    those?.delete(connection);
    if (those?.size === 0) this.#byMember.delete(member);
  }

  /** Acts on each socket of the member that subscribed to the topic. */
  each(member: bigint, topic: MemberTopic, act: (connection: Connection) => void): void {
    for (const connection of this.#byMember.get(member) ?? []) if (connection.topics.has(topic)) act(connection);
  }

  wants(member: bigint, topic: MemberTopic): boolean {
    for (const connection of this.#byMember.get(member) ?? []) if (connection.topics.has(topic)) return true;
    return false;
  }
}
