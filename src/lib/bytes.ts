const KIB = 1024
export const MIB = 1024 * KIB
export const GIB = 1024 * MIB
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const
const DECIMAL_STEP = 1000

/**
 * Words for a size as file managers say it (decimal units, three significant digits): `3.11 GB`, `0
 * B`.
 */
export function formatBytes(sizeBytes: number): string {
  if (!Number.isFinite(sizeBytes) || sizeBytes <= 0) return '0 B'
  const power = Math.min(Math.floor(Math.log10(sizeBytes) / 3), UNITS.length - 1)
  const value = sizeBytes / DECIMAL_STEP ** Math.max(power, 0)
  return `${Number(value.toPrecision(3))} ${UNITS[Math.max(power, 0)] ?? 'B'}`
}
