import type { Page } from "@playwright/test";

/**
 * Returns a small picture of one colour, as a phone's camera would provide. Different colours give different pictures.
 */
export async function photo(page: Page, colour: string): Promise<Buffer> {
  const base64 = await page.evaluate(async (fill) => {
    const canvas = new OffscreenCanvas(360, 480);
    const brush = canvas.getContext("2d");
    if (brush === null) throw new Error("no brush");
    brush.fillStyle = fill;
    brush.fillRect(0, 0, 360, 480);
    brush.fillStyle = "#ffffff";
    brush.fillRect(40, 60, 280, 40);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
  }, colour);
  return Buffer.from(base64, "base64");
}

let statements = Date.now();

/** Returns a bank statement with one line: a credit, or its reversal. */
export function statementOf(amount: string, remittance: string, takesBack = false): Buffer {
  statements += 1;
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M${statements}</MsgId></GrpHdr>
<Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct><Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${takesBack ? "DBIT" : "CRDT"}</CdtDbtInd>
<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>B${statements}</AcctSvcrRef><NtryDtls><TxDtls>
<RltdPties><Dbtr><Nm>A. Sender</Nm></Dbtr></RltdPties><RmtInf><Ustrd>${remittance}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt>
</BkToCstmrStmt></Document>`);
}

export async function importStatement(page: Page, content: Buffer): Promise<void> {
  await page.getByLabel("Import statement").setInputFiles({ name: "camt.xml", mimeType: "text/xml", buffer: content });
}
