/** What receipts use of pdfkit, which publishes no types. */
declare module 'pdfkit' {
  import type { Readable } from 'node:stream'

  interface DocumentOptions {
    readonly size: 'A4'
    readonly margin: number
    readonly compress: boolean
    readonly lang: string
    /** The file's id is derived from it. */
    readonly info: Readonly<Record<'Title' | 'Author', string>> &
      Readonly<Record<'CreationDate' | 'ModDate', Date>>
  }

  interface TextOptions {
    readonly width: number
    readonly align?: 'right'
  }

  /** A stream of the document's bytes, which ends after `end`. */
  export default class PdfDocument extends Readable {
    constructor(options: DocumentOptions)
    /** Where the next text begins, in points from the top. */
    readonly y: number
    font(name: 'Helvetica' | 'Helvetica-Bold'): this
    fontSize(points: number): this
    text(words: string): this
    text(words: string, x: number, y: number, options: TextOptions): this
    moveDown(lines?: number): this
    end(): void
  }
}
