/**
 * A file name for an output: the source's name without its ending, then `-suffix.extension`. Only
 * ASCII letters, digits, dash and underscore survive, so that it is safe in headers, archives and
 * on every file system.
 */
export function outputFileName(sourceFileName: string, suffix: string, extension: string): string {
  const base = sourceFileName.replace(/^.*[\\/]/, '').replace(/\.[A-Za-z0-9]{1,5}$/, '')
  const safe = base
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
  return `${safe === '' ? 'video' : safe}-${suffix}.${extension}`
}

/** A number with leading zeros: `numbered(3)` is `03`. */
export function numbered(value: number): string {
  return String(value).padStart(2, '0')
}

/** Milliseconds as ffmpeg's seconds, without exponent or rounding surprises: 1234 -> `1.234`. */
export function seconds(ms: number): string {
  return (Math.max(0, ms) / 1000).toFixed(3)
}
