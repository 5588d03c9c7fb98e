declare const nominalName: unique symbol;

/** A plain value that must not mix with others of its kind: `Nominal<bigint, "MicroUsd">`. */
export type Nominal<Value, Name extends string> = Value & { readonly [nominalName]: Name };
