import type pg from "pg";
import type { Cell, Row, Statement, Step, Value } from "./lane.ts";

type Parse = (text: string) => Cell;

/** A statement that a connection has prepared, with the parsers of its columns. */
interface Prepared {
  readonly text: string;
  readonly columns: readonly Parse[];
}

/** Statements that a connection has prepared, by name. */
export type PreparedStatements = Map<string, Prepared>;

export interface FlushOptions {
  readonly steps: readonly Step[];
  readonly prepared: PreparedStatements;
  readonly client: Pick<pg.Client, "getTypeParser">;
  /** Called with the rows of each step, or with PostgreSQL's first error. */
  readonly done: (error: Error | null, rows: readonly (readonly Row[])[]) => void;
}

/** A parameter in the form that the driver's writer takes: bytes are sent in binary, everything else as text. */
type BoundCell = string | Buffer | null;

interface BoundStep {
  readonly statement: Statement;
  readonly cells: BoundCell[];
}

/**
 * Sends several statements with a single Sync at the end (PostgreSQL's protocol, "Pipelining"). The driver's own queries have one
 * Sync each, and every Sync costs an answer that is sent and read separately. After an error PostgreSQL skips the rest,
 * including a COMMIT, so the sender has to roll back. Without BEGIN, all statements form one transaction.
 */
export class Flush implements pg.Submittable {
  private readonly options: FlushOptions;
  private readonly bound: readonly BoundStep[];
  /** The parsers of each step's columns, once they are known. */
  private readonly columns: (readonly Parse[])[] = [];
  private readonly rows: Row[][];
  /** Index of the step whose answer comes next. */
  private current = 0;
  /** The error if a row could not be read. */
  private unread: Error | null = null;

  /** Throws, before anything is sent, if another statement already has one of the names. */
  constructor(options: FlushOptions) {
    this.options = options;
    this.rows = options.steps.map(() => []);
    this.bound = options.steps.map(([statement, values = []]) => {
      const known = options.prepared.get(statement.name);
      if (known !== undefined && known.text !== statement.text)
        throw new Error(`${statement.name} is the name of another statement`);
      return { statement, cells: values.map(boundCell) };
    });
  }

  submit(connection: pg.Connection): void {
    const { prepared } = this.options;
    // Write all of them at once: one system call each would cost more than everything else Node does here.
    connection.stream.cork();
    for (const { statement, cells } of this.bound) {
      const isNew = !prepared.has(statement.name);
      if (isNew) {
        // The statement may already be prepared, by a flush that failed after it.
        connection.close({ type: "S", name: statement.name }, true);
        connection.parse({ name: statement.name, text: statement.text, types: [] }, true);
      }
      connection.bind({ statement: statement.name, values: cells }, true);
      if (isNew) connection.describe({ type: "P" }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { readonly fields: readonly { readonly dataTypeID: number }[] }): void {
    this.columns[this.current] = fields.map(({ dataTypeID }) => this.options.client.getTypeParser(dataTypeID, "text"));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.unread !== null) return;
    try {
      this.rows[this.current]?.push(this.rowOf(fields));
    } catch (error) {
      // Report it with the answer to the Sync: an error thrown here would be the socket's.
      this.unread = error instanceof Error ? error : new Error("a row could not be read", { cause: error });
    }
  }

  private rowOf(fields: readonly (string | null)[]): Row {
    const columns = this.columnsOf(this.current);
    return fields.map((text, index) => (text === null ? null : (columns[index]?.(text) ?? null)));
  }

  handleCommandComplete(): void {
    this.current += 1;
  }

  handleEmptyQuery(): void {
    this.current += 1;
  }

  handleError(error: Error): void {
    this.options.done(error, []);
  }

  handleReadyForQuery(): void {
    const { prepared, done } = this.options;
    for (const [index, { statement }] of this.bound.entries()) {
      if (!prepared.has(statement.name))
        prepared.set(statement.name, { text: statement.text, columns: this.columnsOf(index) });
    }
    done(this.unread, this.rows);
  }

  private columnsOf(index: number): readonly Parse[] {
    const own = this.columns[index];
    if (own !== undefined) return own;
    const name = this.bound[index]?.statement.name;
    return (name === undefined ? undefined : this.options.prepared.get(name)?.columns) ?? [];
  }
}

function boundCell(value: Value): BoundCell {
  if (value === null || typeof value === "string" || value instanceof Buffer) return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return String(value);
}
