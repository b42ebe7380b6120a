import { crc32, deflateRawSync } from 'node:zlib';

/** A zip archive of these files. @param declared size of each that the archive declares, instead of its own */
export function zip(files: Readonly<Record<string, string | Buffer>>, declared?: number): Buffer {
  const [locals, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes, { level: 9 });
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(declared ?? bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    const entry = Buffer.alloc(46);
    entry.write('PK\x01\x02', 'latin1');
    fields.copy(entry, 6);
    entry.writeUInt32LE(offset, 42);
    locals.push(local);
    directory.push(entry, Buffer.from(name));
    offset += local.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const relations = (...kinds: (readonly [id: string, kind: string, target: string])[]) =>
  `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${kinds
    .map(
      ([id, kind, target]) => `<Relationship Id="${id}" Type="${RELATIONSHIPS}/${kind}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const sheet = (rows: string) => `${XML}<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`;

/** The parts of a workbook as Excel saves it, with these rows of its first sheet and this table of shared strings. */
export const workbookParts = (rows: string, shared = ''): Record<string, string> => ({
  '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
  '_rels/.rels': relations(['rId1', 'officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml': `${XML}<workbook ${MAIN} xmlns:r="${RELATIONSHIPS}"><sheets><sheet name="People" sheetId="1" r:id="rId1"/><sheet name="Other" sheetId="2" r:id="rId2"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations(
    ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
    ['rId2', 'worksheet', 'worksheets/sheet2.xml'],
    ['rId3', 'sharedStrings', 'sharedStrings.xml'],
    ['rId4', 'styles', 'styles.xml'],
  ),
  'xl/styles.xml': `${XML}<styleSheet ${MAIN}><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  'xl/sharedStrings.xml': `${XML}<sst ${MAIN}>${shared}</sst>`,
  'xl/worksheets/sheet1.xml': sheet(rows),
  'xl/worksheets/sheet2.xml': sheet('<row r="1"><c r="A1" t="inlineStr"><is><t>other</t></is></c></row>'),
});
