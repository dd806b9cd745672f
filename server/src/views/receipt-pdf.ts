/** Lays a receipt out as a PDF. */
import { buffer } from 'node:stream/consumers'
import type PdfDocument from 'pdfkit'

/** What stands on a receipt. Words are Latin-1: the PDF's own fonts have no others. */
export interface Receipt {
  readonly number: string
  readonly issuedAt: Date
  /** What was sold; neutral words, which others may see on a bill. */
  readonly items: readonly ReceiptItem[]
  /** Lines below the total, e.g. `Tax included: $0.00`. */
  readonly notes: readonly string[]
}

interface ReceiptItem {
  readonly words: string
  readonly cents: number
  readonly coinAmount: number
}

const MARGIN = 56
const WIDTH = 595.28 - 2 * MARGIN

/**
 * A receipt as the bytes of a PDF, the same for the same receipt: its dates are the receipt's, the
 * library derives the file's id from them, and no compressor of another version changes a byte.
 */
export async function receiptPdf(receipt: Receipt): Promise<Uint8Array<ArrayBuffer>> {
  const { number, issuedAt, items, notes } = receipt
  // Loaded when it is needed: it reads its font tables at once, and few calls need it.
  const { default: Pdf } = await import('pdfkit')
  const title = `Receipt ${number}`
  const document = new Pdf({
    size: 'A4',
    margin: MARGIN,
    compress: false,
    lang: 'en',
    info: { Title: title, Author: 'Onecut', CreationDate: issuedAt, ModDate: issuedAt },
  })
  document.font('Helvetica-Bold').fontSize(20).text(title)
  document
    .font('Helvetica')
    .fontSize(11)
    .text(`Onecut, ${dayOf(issuedAt)}`)
    .moveDown(2)
  for (const item of items) lineOf(document, item.words, amountOf(item))
  document.moveDown().font('Helvetica-Bold')
  lineOf(document, 'Total', amountOf(totalOf(items)))
  document.font('Helvetica').moveDown()
  for (const note of notes) document.text(note)
  document.end()
  return new Uint8Array(await buffer(document))
}

function lineOf(document: PdfDocument, words: string, amount: string): void {
  const { y } = document
  document.text(amount, MARGIN, y, { width: WIDTH, align: 'right' })
  document.text(words, MARGIN, y, { width: WIDTH * 0.6 }).moveDown(0.4)
}

function totalOf(items: readonly ReceiptItem[]): Omit<ReceiptItem, 'words'> {
  return {
    cents: items.reduce((sum, item) => sum + item.cents, 0),
    coinAmount: items.reduce((sum, item) => sum + item.coinAmount, 0),
  }
}

/** Dollars with two decimals, and tokens: `$20.00 (2,000 tokens)`. */
function amountOf({ cents, coinAmount }: Omit<ReceiptItem, 'words'>): string {
  return `${dollars(cents)} (${coinAmount.toLocaleString('en-US')} tokens)`
}

export function dollars(cents: number): string {
  return `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`
}

function dayOf(date: Date): string {
  return date.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
}
