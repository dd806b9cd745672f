/** The first that fits counts: browsers also name those that they descend from. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['CriOS', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Mac OS X', 'Mac'],
  ['Linux', 'Linux'],
] as const

/**
 * What a person calls the device of a `User-Agent`, e.g. `Chrome on Windows`; null when it names
 * neither a browser nor a system that is known here.
 */
export function deviceNameOf(userAgent: string | undefined): string | null {
  const nameIn = (known: typeof BROWSERS | typeof SYSTEMS): string | undefined =>
    known.find(([mark]) => userAgent?.includes(mark) === true)?.[1]
  const browser = nameIn(BROWSERS)
  const system = nameIn(SYSTEMS)
  if (browser === undefined || system === undefined) return browser ?? system ?? null
  return `${browser} on ${system}`
}
