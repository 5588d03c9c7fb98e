import type { LockedPackage } from "./lock-file.ts";

/** Licences that a shipped package may have, with the obligations for those who redistribute the product. */
const OBLIGATIONS: Readonly<Record<string, string>> = {
  MIT: "Keep its copyright notice and licence text with every copy.",
  "MIT-0": "None.",
  ISC: "Keep its copyright notice and licence text with every copy.",
  "BSD-2-Clause": "Keep its copyright notice and licence text with every copy.",
  "BSD-3-Clause": "Keep its copyright notice and licence text; do not use its makers' names in advertising.",
  "0BSD": "None.",
  "Apache-2.0": "Keep its notices (NOTICE too) and licence text; say which of its files were changed.",
  "BlueOak-1.0.0": "Pass its licence text or a link to it on.",
  "CC0-1.0": "None.",
  Unlicense: "None.",
  "CC-BY-4.0": "Name its makers and link its licence. Data used while building; nothing of it is in the built apps.",
  "MPL-2.0": "Pass the source of its own files on, changed ones too, under the same licence. Used unchanged.",
  "LGPL-3.0-or-later":
    "libvips, which sharp loads as a shared library: pass its licence text on, say that it is used, and let whoever gets the product exchange the library for a build of their own. It is used unchanged; its source is at github.com/libvips/libvips, and replacing node_modules/@img/sharp-libvips-* exchanges it.",
};

/**
 * Returns the licences to comply with for a package: the first permitted one of an `OR`, all of an `AND`. Null if the
 * package declares none, or one that isn't in the table.
 */
export function licencesToKeep(expression: string | null): readonly string[] | null {
  if (expression === null) return null;
  const bare = expression.replaceAll(/[()]/g, "");
  const all = bare.split(/ and /i).map((part) =>
    part
      .split(/ or /i)
      .map((name) => name.trim())
      .find((name) => name in OBLIGATIONS),
  );
  return all.every((name) => name !== undefined) ? all : null;
}

/** Finds shipped packages whose licence nobody has reviewed. */
export function unknownLicences(packages: readonly LockedPackage[]): string[] {
  return packages
    .filter(({ isDev, license }) => !isDev && licencesToKeep(license) === null)
    .map(
      ({ name, version, license }) =>
        `${name}@${version} has the licence ${license ?? "(none)"}, which nobody has looked at. Add it to scripts/supply-chain/licences.ts with what it asks, or take the package out.`,
    );
}

/** Writes docs/licences.md: every shipped package under its licence, with the licence's obligations. */
export function licencePage(packages: readonly LockedPackage[]): string {
  const shipped = packages.filter(({ isDev }) => !isDev);
  const groups = Map.groupBy(
    shipped.flatMap((one) => (licencesToKeep(one.license) ?? []).map((licence) => ({ licence, one }))),
    ({ licence }) => licence,
  );
  const sections = [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, members]) => {
      const names = members.map(({ one }) => `${one.name} ${one.version}`).join(", ");
      return `## ${licence}\n\n${OBLIGATIONS[licence] ?? ""}\n\n${names}\n`;
    });
  return [
    "# Licences of what ships\n",
    `The ${shipped.length} packages that the product runs on, by licence. Tools and tests are left out. \`npm run supply-chain\` writes this page; \`npm run check\` fails when it is out of date or when a package has a licence that nobody has looked at.\n`,
    ...sections,
  ].join("\n");
}
