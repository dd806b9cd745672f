/**
 * The words of the offline bar: with the time of what is shown, and with the day when that was not
 * today.
 * @param asOfEpochMs this device's clock; null when nothing of an account is shown
 */
export function offlineText(asOfEpochMs: number | null, now: Date, locale?: string): string {
  if (asOfEpochMs === null)
    return 'Offline. Features that need a connection work again when you are back online.'
  const asOf = new Date(asOfEpochMs)
  const isToday = asOf.toDateString() === now.toDateString()
  const time = asOf.toLocaleTimeString(locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const day = asOf.toLocaleDateString(locale, { day: 'numeric', month: 'short' })
  return `Offline. Showing what this device has, as of ${isToday ? time : `${day}, ${time}`}`
}
