declare const nominalName: unique symbol;

/** A plain value that can't be mixed up with others of the same type: `Nominal<bigint, "MicroUsd">`. */
export type Nominal<Value, Name extends string> = Value & { readonly [nominalName]: Name };
