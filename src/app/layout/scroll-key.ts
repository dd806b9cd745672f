import type { Location } from 'react-router'

/**
 * Under which name the scroll position of a page is kept. The router calls every first page of a
 * visit 'default', so that one opened from a mail, or after a payment, would begin as far down as
 * another page was left. Its address tells them apart, and a reload still finds its place.
 */
export function scrollKey({ key, pathname }: Pick<Location, 'key' | 'pathname'>): string {
  return key === 'default' ? pathname : key
}
