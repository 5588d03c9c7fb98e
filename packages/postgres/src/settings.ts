import { totalmem } from "node:os";

const MEGABYTE = 1024 * 1024;

/**
 * Returns the embedded server's settings. The three switches that make a confirmed commit survive a power cut are on by
 * PostgreSQL's default. They are set here anyway, because members' money depends on them.
 *
 * - shared_buffers: an eighth of the machine's memory, 128 MB to 1 GB.
 * - max_wal_size, checkpoint_timeout: fewer checkpoints, and so fewer whole-page images in the log. Recovery after a
 *   crash still takes only seconds.
 * - min_wal_size: log files that a peak needed are kept for the next peak. Before a new one can be used, its 16 MB of
 *   zeros must be on disk, and every commit waits for that: 60 to 90 ms on a small virtual machine.
 * - wal_compression off: it saves disk space but costs processor time, which is scarce when orders are placed.
 * - jit off: every statement here is short, and compiling it costs more than running it.
 * - random_page_cost: low, because the data is on solid-state disks or in memory.
 * - createrole_self_grant: the owner of the database can assume the roles that its migrations create.
 */
export function serverSettings(overrides: Readonly<Record<string, string>> = {}): Record<string, string> {
  const memoryMb = Math.floor(totalmem() / MEGABYTE);
  const sharedMb = Math.min(1024, Math.max(128, Math.floor(memoryMb / 8)));
  return {
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    listen_addresses: "127.0.0.1",
    password_encryption: "scram-sha-256",
    createrole_self_grant: "set, inherit",
    max_connections: "200",
    shared_buffers: `${sharedMb}MB`,
    effective_cache_size: `${Math.max(256, Math.floor(memoryMb / 2))}MB`,
    wal_buffers: "16MB",
    wal_compression: "off",
    min_wal_size: "1GB",
    max_wal_size: "2GB",
    checkpoint_timeout: "15min",
    checkpoint_completion_target: "0.9",
    random_page_cost: "1.1",
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    ...overrides,
  };
}
