import { expect, it } from "vitest";
import { clientAddress } from "./client-address.ts";

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["203.0.113.7:51234", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::FFFF:cb00:7107", "203.0.113.7"],
  ["0:0:0:0:0:ffff:203.0.113.7", "203.0.113.7"],
  ["0000:0000:0000:0000:0000:ffff:cb00:7107", "203.0.113.7"],
  ["[::ffff:203.0.113.7]:443", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002:ffff::", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
  ["[2001:db8:1:2::9]:51234", "2001:db8:1:2::/64"],
  ["2001:db8::9", "2001:db8:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["2001:db8:1:2::192.0.2.1", "2001:db8:1:2::/64"],
  [" 203.0.113.7 ", "203.0.113.7"],
])("counts %s as %s", (written, counted) => {
  expect(clientAddress(written)).toBe(counted);
});

it.each(["", "unknown", "_hidden", "203.0.113.700", "x".repeat(5_000)])(
  "counts everything that isn't an address (%s) as the same client",
  (written) => {
    expect(clientAddress(written)).toBe("unknown");
  },
);
