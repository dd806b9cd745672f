/** Bytes as people read them, such as `1.2 GB`. */
export function bytesText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const step = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3))
  const amount = bytes / 1000 ** step
  return `${step === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[step] ?? ''}`
}

/** A time as people read it, such as `5 hours` or `12 days`. */
export function ageText(ms: number): string {
  const hours = Math.max(0, Math.round(ms / 3_600_000))
  const [amount, unit] = hours < 48 ? [hours, 'hour'] : [Math.round(hours / 24), 'day']
  return amount === 0 ? 'less than an hour' : `${amount} ${unit}${amount === 1 ? '' : 's'}`
}
