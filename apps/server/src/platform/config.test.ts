import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";
import { refuseSandboxPartsInLive } from "./sandbox-parts.ts";

const DATABASE_URL = "postgresql://127.0.0.1/fairtick";
const witnessesAt = (...urls: string[]) => JSON.stringify(urls.map((url, nth) => ({ url, key: `name${nth}+id+key` })));
/** A live deployment with real parts only. */
const LIVE = {
  DEPLOYMENT: "live",
  DATABASE_URL,
  PUBLIC_URL: "https://fairtick.example",
  CONSOLE_URL: "https://office.example",
  MARKET_SOURCES: "kraken",
  MAIL_URL: "smtp://mail.example:587",
  SMS_URL: "https://sms.example/send",
  CHAIN_URL: "https://chain.example",
  CHAIN_TOKEN: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  FAIRTICK_SECRET: "0123456789abcdef".repeat(4),
  CLAMAV_SOCKET: "/run/clamav/clamd.ctl",
  WITNESSES: witnessesAt("https://one.example/w", "https://two.example"),
};
const CHAINS =
  '[{"chain":"one","name":"One","url":"http://127.0.0.1:1","token":"0xdAC17F958D2ee523a2206206994597C13D831ec7"}]';
const threeWitnesses = witnessesAt("https://one.example/w", "https://two.example", "http://127.0.0.1:9");
const TEST_CHAIN = JSON.stringify({
  rpc: "http://127.0.0.1:1",
  chainId: 1,
  token: LIVE.CHAIN_TOKEN,
  wallet: { address: LIVE.CHAIN_TOKEN, privateKey: `0x${"11".repeat(32)}` },
});

function start(environment: Record<string, string | undefined>): void {
  refuseSandboxPartsInLive(readConfig(environment));
}

describe("a live deployment", () => {
  it("starts when every part is real", () => {
    expect(() => start(LIVE)).not.toThrow();
  });

  it.each([
    ["a simulated market", { MARKET_SOURCES: undefined }, "MARKET_SOURCES: the simulated market"],
    ["a simulated instrument", { MARKET_SOURCES: "kraken,EURUSD=simulated" }, "MARKET_SOURCES: the simulated market"],
    ["a scripted market", { MARKET_SOURCES: "scripted" }, "MARKET_SOURCES: the scripted source"],
    [
      "an exchange at another address",
      { KRAKEN_URL: "ws://127.0.0.1:9000" },
      "KRAKEN_URL is not the exchange's own address",
    ],
    [
      "another exchange at another address",
      { BINANCE_URL: "ws://127.0.0.1:9000/ws" },
      "BINANCE_URL is not the exchange's own",
    ],
    ["a price service without TLS", { PYTH_URL: "http://127.0.0.1:9000" }, "PYTH_URL is not https"],
    ["the mails' inbox", { MAIL_URL: undefined }, "MAIL_URL is not set"],
    ["the messages' inbox", { SMS_URL: undefined }, "SMS_URL is not set"],
    ["the published secret", { FAIRTICK_SECRET: undefined }, "FAIRTICK_SECRET is not set"],
    ["the test chain", { CHAIN_URL: undefined, CHAIN_TOKEN: undefined }, "CHAIN_URL is not set"],
    ["a test chain's wallet", { TEST_CHAIN: TEST_CHAIN }, "TEST_CHAIN"],
    [
      "a chain that may be wiped",
      { CHAINS: CHAINS.replace("{", '{"mayStartAnew":true,'), CHAIN_URL: undefined, CHAIN_TOKEN: undefined },
      "CHAINS: a chain that may start anew",
    ],
    ["raised rate limits", { RATE_LIMIT_FACTOR: "10" }, "RATE_LIMIT_FACTOR"],
    ["a page without TLS", { PUBLIC_URL: "http://fairtick.example" }, "PUBLIC_URL is not https"],
    ["uploads without a scanner", { CLAMAV_SOCKET: undefined }, "CLAMAV_SOCKET is not set"],
    ["a short rest after a reset", { WITHDRAWAL_REST_HOURS: "23" }, "WITHDRAWAL_REST_HOURS is below 24"],
    ["a short wait for new addresses", { WITHDRAWAL_ADDRESS_HOURS: "0" }, "WITHDRAWAL_ADDRESS_HOURS is below 24"],
    ["one witness", { WITNESSES: witnessesAt("https://one.example") }, "WITNESSES names 1 outside"],
    ["two witnesses at one host", { WITNESSES: witnessesAt("https://a.example/1", "https://a.example/2") }, "names 1"],
    [
      "two witnesses with one key",
      { WITNESSES: witnessesAt("https://a.example", "https://b.example").replace("name1", "name0") },
      "names 1",
    ],
    ["no witness", { WITNESSES: undefined }, "WITNESSES names 0 outside the house's own hosts"],
    ["one outside witness of two that must sign", { WITNESSES_REQUIRED: "1" }, "WITNESSES_REQUIRED: of 1 "],
    [
      "the house's own witness among two that must sign",
      { WITNESSES: threeWitnesses, WITNESSES_REQUIRED: "2" },
      "WITNESSES_REQUIRED: of 2 signatures, only 1 would surely be from outside the house's own hosts",
    ],
    [
      "witnesses on the house's own hosts",
      {
        WITNESSES: witnessesAt("https://fairtick.example/w", "http://127.0.0.1:9", "https://w.fairtick.example"),
        ALLOWED_HOSTS: "w.fairtick.example",
      },
      "WITNESSES names 0 outside",
    ],
    ["a crash point", { FAIRTICK_CRASH_AT: "settle" }, "FAIRTICK_CRASH_AT"],
  ])("refuses %s and names it", (_part, change, named) => {
    expect(() => start({ ...LIVE, ...change })).toThrow(named);
  });

  it("starts if two outside witnesses must sign whatever the house's own does", () => {
    const own = { WITNESSES: threeWitnesses };
    expect(() => start({ ...LIVE, ...own, WITNESSES_REQUIRED: "3" })).not.toThrow();
    expect(() => start({ ...LIVE, ...own })).not.toThrow();
    const outside = witnessesAt("https://one.example", "https://two.example", "https://three.example");
    expect(() => start({ ...LIVE, WITNESSES: outside, WITNESSES_REQUIRED: "2" })).not.toThrow();
  });

  it("may run without a scanner only for a written reason", () => {
    const without = { ...LIVE, CLAMAV_SOCKET: undefined };
    expect(() => start({ ...without, CLAMAV_EXCEPTION: "The bucket's own service scans each object" })).not.toThrow();
    expect(() => start({ ...without, CLAMAV_EXCEPTION: "no" })).toThrow(/CLAMAV_EXCEPTION is to be the reason/);
  });

  it.each([
    ["/run/clamav/clamd.ctl", { path: "/run/clamav/clamd.ctl" }],
    ["scanner.internal:3310", { host: "scanner.internal", port: 3310 }],
    ["[::1]:3310", { host: "::1", port: 3310 }],
  ])("finds the scanner at %s", (CLAMAV_SOCKET, address) => {
    expect(readConfig({ ...LIVE, CLAMAV_SOCKET }).scanner.address).toEqual(address);
    expect(() => readConfig({ ...LIVE, CLAMAV_SOCKET: "scanner" })).toThrow(/CLAMAV_SOCKET is to be the path/);
  });

  it("names all sandbox parts at once", () => {
    const names = ["MARKET_SOURCES", "MAIL_URL", "SMS_URL", "FAIRTICK_SECRET", "CHAIN_URL", "PUBLIC_URL"];
    const all = new RegExp(names.join("[^]*"));
    expect(() => start({ DEPLOYMENT: "live", DATABASE_URL })).toThrow(all);
  });
});

it("lets a sandbox start with nothing set but the database", () => {
  const config = readConfig({ DATABASE_URL });
  expect(() => refuseSandboxPartsInLive(config)).not.toThrow();
  expect(config).toMatchObject({ deployment: "sandbox", host: "127.0.0.1", port: 8080 });
});

it("makes new addresses wait a day in live, and not at all in a sandbox by default", () => {
  expect(readConfig({ ...LIVE }).withdrawalAddressHours).toBe(24);
  expect(readConfig({ DATABASE_URL }).withdrawalAddressHours).toBe(0);
  expect(readConfig({ DATABASE_URL, WITHDRAWAL_ADDRESS_HOURS: "6" }).withdrawalAddressHours).toBe(6);
});

it("names every setting that cannot be understood, without repeating secrets", () => {
  const read = () => readConfig({ DATABASE_URL: "not an address with pa55word", PORT: "99999", DEPLOYMENT: "prod" });
  expect(read).toThrow(/DEPLOYMENT[^]*PORT[^]*DATABASE_URL/);
  expect(read).not.toThrow("pa55word");
});

describe("who signs Pyth's prices", () => {
  const guardians = ["1", "2", "3"].map((digit) => `0x${digit.repeat(40)}`);
  const read = (signers: object) => readConfig({ DATABASE_URL, PYTH_GUARDIANS: JSON.stringify(signers) }).pyth.signers;

  it("are a set of addresses and how many of them have to sign, for Pyth's emitter unless another is named", () => {
    const signers = read({ set: 4, quorum: 2, guardians });
    expect(signers).toMatchObject({ set: 4, quorum: 2, chain: 26 });
    expect(signers?.guardians[1]).toEqual(Uint8Array.from(Buffer.from("22".repeat(20), "hex")));
    expect(Buffer.from(signers!.emitter).toString("hex")).toMatch(/^e101faed[0-9a-f]{52}aa71$/);
    expect(read({ set: 4, quorum: 3, guardians, chain: 7, emitter: "ab".repeat(32) })).toMatchObject({ chain: 7 });
    expect(readConfig({ DATABASE_URL, PYTH_URL: "https://own.example/hermes/" }).pyth).toEqual({
      url: "https://own.example/hermes",
      key: null,
      signers: null,
    });
  });

  it.each<[string, object]>([
    ["no majority", { set: 4, quorum: 1, guardians }],
    ["more than there are", { set: 4, quorum: 4, guardians }],
    ["a half address", { set: 4, quorum: 2, guardians: [...guardians, "0x12"] }],
    ["nobody", { set: 4, quorum: 1, guardians: [] }],
    ["an unknown field", { set: 4, quorum: 2, guardians, threshold: 2 }],
  ])("are refused with %s", (_what, signers) => {
    expect(() => read(signers)).toThrow(/^PYTH_GUARDIANS\S* is to be who signs/);
  });
});

describe("the database's address", () => {
  it.each([
    ["hosts behind the question mark", "postgresql:///fairtick?host=one,two", "name them before the database"],
    ["a request for a standby", `${DATABASE_URL}?target_session_attrs=standby`, "allow no primary"],
    ["an invalid host among several", "postgresql://me:secret@one:5432,two:x/fairtick", "is to be an address"],
    ["no address", "fairtick", "is to be an address"],
  ])("refuses %s, and says what to name instead", (_what, address, sentence) => {
    expect(() => readConfig({ DATABASE_URL: address })).toThrow(sentence);
    expect(() => readConfig({ DATABASE_URL: address })).not.toThrow(/secret/);
  });
  it.each([
    "postgresql://me:a,b@one:5432/fairtick",
    "postgresql://me@[::1]:5432/fairtick?sslmode=require",
    "postgresql://me@127.0.0.1/fairtick?host=%2Frun%2Fpostgresql",
    "postgresql://one,two/fairtick",
    "postgresql://me:secret@one:5432,two:5433/fairtick?target_session_attrs=read-write",
  ])("accepts %s", (address) => {
    expect(readConfig({ DATABASE_URL: address }).databaseUrl).toBe(address);
  });
});

describe("how many witnesses must cosign", () => {
  const WITNESSES = JSON.stringify(["one", "two"].map((name) => ({ url: `https://${name}.example`, key: name })));
  it("is all of them by default, or the number given", () => {
    expect(readConfig({ DATABASE_URL, WITNESSES }).witnessesRequired).toBeNull();
    expect(readConfig({ DATABASE_URL, WITNESSES, WITNESSES_REQUIRED: "1" }).witnessesRequired).toBe(1);
  });
  it.each([
    ["none", { WITNESSES, WITNESSES_REQUIRED: "0" }, "WITNESSES_REQUIRED is to be a whole number from 1"],
    ["more than there are", { WITNESSES, WITNESSES_REQUIRED: "3" }, "WITNESSES_REQUIRED is 3, but WITNESSES names 2."],
    ["some without any witnesses", { WITNESSES_REQUIRED: "1" }, "WITNESSES_REQUIRED is 1, but WITNESSES names 0."],
  ])("is not %s", (_what, settings, sentence) => {
    expect(() => readConfig({ DATABASE_URL, ...settings })).toThrow(sentence);
  });
});

describe("chains", () => {
  it("can be several with CHAINS, each with its own figures", () => {
    const second = {
      ...JSON.parse(CHAINS)[0],
      chain: "two",
      confirmations: "finalized",
      minimum: "7.5",
      rate: "0.998",
    };
    const { chains } = readConfig({ DATABASE_URL, CHAINS: JSON.stringify([...JSON.parse(CHAINS), second]) });
    expect(chains).toMatchObject([
      { chain: "one", confirmations: 12, minimum: 5_000_000n, rate: 1_000_000n, mayStartAnew: false },
      { chain: "two", confirmations: "finalized", minimum: 7_500_000n, rate: 998_000n },
    ]);
  });

  const tron = {
    chain: "tron",
    kind: "tron",
    name: "TRON",
    url: "https://node.example/jsonrpc",
    walletUrl: "https://node.example/",
    token: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
  };

  it("can be TRON, final when solidified, with the token in TRON's notation", () => {
    const { chains } = readConfig({ DATABASE_URL, CHAINS: JSON.stringify([...JSON.parse(CHAINS), tron]) });
    expect(chains).toMatchObject([
      { chain: "one", kind: "evm", walletUrl: null },
      {
        chain: "tron",
        kind: "tron",
        walletUrl: "https://node.example",
        token: "0xa614f803b6fd780986a42c78ec9c7f77e6ded13c",
        confirmations: "finalized",
      },
    ]);
  });

  it("can have headers for requests to a node, and others for its witness", () => {
    const headers = { "TRON-PRO-API-KEY": "0a1b-2c3d" };
    const witnessHeaders = { Authorization: "Bearer x.y" };
    const { chains } = readConfig({
      DATABASE_URL,
      CHAINS: JSON.stringify([{ ...tron, headers, witnessUrl: "https://witness.example", witnessHeaders }]),
    });
    expect(chains).toMatchObject([{ headers, witnessHeaders }]);
    expect(readConfig({ DATABASE_URL, CHAINS }).chains).toMatchObject([{ headers: {}, witnessHeaders: {} }]);
  });

  it.each([
    ["a header of two lines", { CHAINS: [{ ...tron, headers: { "x-key": "a\r\nb: c" } }] }],
    ["a header with an invalid name", { CHAINS: [{ ...tron, headers: { "x key": "a" } }] }],
    ["another type for a request's body", { CHAINS: [{ ...tron, headers: { "Content-Type": "text/plain" } }] }],
    ["a TRON chain with its token in Ethereum's notation", { CHAINS: [{ ...tron, token: LIVE.CHAIN_TOKEN }] }],
    ["a TRON chain without a wallet address", { CHAINS: [{ ...tron, walletUrl: undefined }] }],
    ["a chain of an unknown kind", { CHAINS: [{ ...tron, kind: "solana" }] }],
    ["an EVM chain with TRON's token", { CHAINS: [{ ...JSON.parse(CHAINS)[0], token: tron.token }] }],
  ])("refuse %s", (_what, settings) => {
    expect(() => readConfig({ DATABASE_URL, CHAINS: JSON.stringify(settings.CHAINS) })).toThrow("CHAINS");
  });

  it.each([
    ["a node without its token", { CHAIN_URL: "https://chain.example" }, "CHAIN_TOKEN"],
    [
      "a chain named twice",
      { CHAINS: JSON.stringify([...JSON.parse(CHAINS), ...JSON.parse(CHAINS)]) },
      "names a chain twice",
    ],
    ["something that isn't a list", { CHAINS: "{" }, "CHAINS is to be JSON"],
    ["sweeping on TRON", { CHAINS: JSON.stringify([{ ...tron, sweepAbove: "1000" }]) }, "sweepAbove is for EVM chains"],
    [
      "a broadcast address of an EVM chain",
      { CHAINS: CHAINS.replace("{", '{"walletUrl":"http://127.0.0.1:2",') },
      "walletUrl is of a chain of TRON alone",
    ],
    ["an unknown setting", { CHAINS: CHAINS.replace("{", '{"sweepabove":"1000",') }, "sweepabove"],
    [
      "headers for a witness that is not named",
      { CHAINS: CHAINS.replace("{", '{"witnessHeaders":{"x-key":"a"},') },
      "witnessHeaders of a chain without a witnessUrl",
    ],
    [
      "a pinned genesis that may change",
      { CHAINS: CHAINS.replace("{", `{"mayStartAnew":true,"genesis":"0x${"1".repeat(64)}",`) },
      "leave genesis or mayStartAnew out",
    ],
    ["a token without a value", { CHAINS: CHAINS.replace("{", '{"rate":"0",') }, "rate is to be more than nothing"],
    [
      "a single chain besides several",
      { CHAINS, CHAIN_URL: "https://a.example", CHAIN_TOKEN: LIVE.CHAIN_TOKEN },
      "CHAIN_URL",
    ],
    ["a contract without a node", { CHAIN_TOKEN: LIVE.CHAIN_TOKEN }, "CHAIN_URL is to name a node"],
    ["addresses on TRON without TRON", { CHAINS, DEPOSIT_TRON_XPUB: `xpub${"9".repeat(107)}` }, "DEPOSIT_TRON_XPUB"],
    ["a secret without a signer", { SIGNER_SECRET: "0123456789abcdef".repeat(2) }, "SIGNER_URL is to say"],
    [
      "sweeping without a signer",
      {
        ...LIVE,
        CHAIN_URL: undefined,
        CHAIN_TOKEN: undefined,
        CHAINS: CHAINS.replace("{", '{"sweepAbove":"1000",'),
      },
      'sweepAbove of "one"',
    ],
    [
      "a private key instead of the public one",
      { DEPOSIT_XPUB: `xprv${"9".repeat(107)}` },
      "DEPOSIT_XPUB is to be an xpub",
    ],
  ])("refuse %s", (_what, settings, named) => {
    expect(() => readConfig({ DATABASE_URL, ...settings })).toThrow(named);
  });
});
