/** The value below which a share (0..1) of all lies; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0
}

/** 0 of none. */
export function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, each) => sum + each, 0) / values.length
}

/** Three digits are enough, and the row of the upload stays small. */
export function rounded(value: number): number {
  return Math.round(clamp(value) * 1000) / 1000
}

/** Into 0..1; 0 of what is no number. */
export function clamp(value: number): number {
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0
}
