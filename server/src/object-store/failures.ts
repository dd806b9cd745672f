/**
 * Parts that a completion lacks or that differ from what is stored; `partNumbers` says which,
 * ascending.
 */
export class PartsMissing extends Error {
  override readonly name = 'PartsMissing'
  readonly code = 'object-store/parts-missing'
  readonly partNumbers: readonly number[]

  constructor(partNumbers: readonly number[]) {
    super(`${partNumbers.length} parts are missing`)
    this.partNumbers = partNumbers
  }
}

/** The disk cannot take an upload of this size. */
export class NoSpace extends Error {
  override readonly name = 'NoSpace'
  readonly code = 'object-store/no-space'
}
