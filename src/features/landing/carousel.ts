/** What the carousel shows: one item, still or playing. */
export interface CarouselState {
  readonly index: number
  readonly isPlaying: boolean
}

export type CarouselEvent =
  | { readonly kind: 'next' }
  | { readonly kind: 'previous' }
  | { readonly kind: 'jump'; readonly index: number }
  | { readonly kind: 'play' }
  /** The video ended or could not be played. */
  | { readonly kind: 'ended' }

export const initialCarousel: CarouselState = { index: 0, isPlaying: false }

/**
 * The next state. Previous and next wrap around; changing the item stops the video; the end or a
 * failure goes back to the picture. A jump outside the list changes nothing.
 * @param count how many items there are, at least 1
 */
export function stepCarousel(
  count: number,
  state: CarouselState,
  event: CarouselEvent,
): CarouselState {
  switch (event.kind) {
    case 'next':
      return { index: (state.index + 1) % count, isPlaying: false }
    case 'previous':
      return { index: (state.index + count - 1) % count, isPlaying: false }
    case 'jump':
      return event.index >= 0 && event.index < count && event.index !== state.index
        ? { index: event.index, isPlaying: false }
        : state
    case 'play':
      return { ...state, isPlaying: true }
    case 'ended':
      return { ...state, isPlaying: false }
  }
}
