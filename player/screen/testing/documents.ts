/** Generates PDF files with one colour per page. */
import type { Rgb } from './pictures.ts';

/** Returns a PDF of 960 × 540 points (16:9) by default. `locked`: protected by an unknown password. */
export function pdf(pages: readonly Rgb[], { width = 960, height = 540, locked = false, text = '' } = {}): Buffer {
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    // One of the 14 standard fonts, which need not be in the file.
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>',
    ...pages.flatMap((colour, index) => {
      const fill = colour.map((value) => (value / 255).toFixed(4)).join(' ');
      const words = text ? ` 1 1 1 rg BT /F1 ${height / 2} Tf 40 ${height / 4} Td (${text}) Tj ET` : '';
      const content = `${fill} rg 0 0 ${width} ${height} re f${words}`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
    ...(locked ? [`<< /Filter /Standard /V 1 /R 2 /O <${'28'.repeat(32)}> /U <${'5a'.repeat(32)}> /P -4 >>`] : []),
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const lock = locked ? ` /Encrypt ${objects.length} 0 R /ID [<${'11'.repeat(16)}> <${'11'.repeat(16)}>]` : '';
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R${lock} >>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  );
}
