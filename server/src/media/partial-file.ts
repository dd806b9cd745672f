/**
 * Whether a file's stored bytes give its length: yes, not before more is stored, or not before all
 * of it is.
 */
export type EarlyLength = 'here' | 'not-yet' | 'none'

/** A file of which only parts are stored. Offsets in bytes, `end` excluded. */
export interface PartialFile {
  readonly sizeBytes: number
  isStored(start: number, end: number): boolean
  read(start: number, length: number): Promise<Uint8Array>
}
