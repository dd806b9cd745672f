import { defaultRangeExtractor, useWindowVirtualizer, type Range } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { WaitingName } from '#src/hooks/sync/use-outbox.ts'
import { useIsNarrow } from '#src/ui/use-is-narrow.ts'
import type { LibraryVideo } from './arrange-library.ts'
import { EditCard } from './EditCard.tsx'
import type { LibraryPlace } from './library-place-atoms.ts'
import { useLeftPlace, useNotePlace } from './use-library-place.ts'

/** A library of so many edits is in the page as a whole, where the browser finds all of it. */
const WHOLE_UP_TO = 30
/** Cards beside those in view, so that Tab and a screen reader always find the next one. */
const CARDS_AROUND = 6
/** About what a card takes before it is measured; on a phone its picture stands above. */
const CARD_PX = { wide: 232, narrow: 450 }
const GAP_PX = 16

export interface EditListProps {
  readonly videos: readonly LibraryVideo[]
  /** Ids of jobs that need no pull of their own; null while none may have one. */
  readonly pulledIds: ReadonlySet<string> | null
  /** Names that more than one video on this device has. */
  readonly sharedNames: ReadonlySet<string>
  readonly waitingNames: ReadonlyMap<string, WaitingName>
  readonly isOnline: boolean
}

/**
 * The cards of the library. Of a long one, only those near the view are in the page, and the one
 * that has the focus; each says which of how many it is. Coming back shows the same place.
 */
export function EditList({ videos, pulledIds, isOnline, ...known }: EditListProps) {
  const list = useRef<HTMLUListElement>(null)
  const left = useLeftPlace()
  const [expandedIds, setExpandedIds] = useState<ReadonlySet<string>>(left?.expandedIds ?? NONE)
  const [focusedId, setFocusedId] = useState<string | null>(null)
  const focusedAt = videos.findIndex(({ uploadRequestId }) => uploadRequestId === focusedId)
  const { cards, topPx } = useCards(videos, { list, left, focusedAt })
  useNotePlace(() => ({ sizes: cards.measurementsCache, expandedIds }))
  const toggle = useCallback(
    (id: string) =>
      setExpandedIds((ids) => {
        const next = new Set(ids)
        if (!next.delete(id)) next.add(id)
        return next
      }),
    [],
  )
  return (
    <ul
      ref={list}
      className="relative"
      style={{ height: cards.getTotalSize() }}
      onFocus={({ target }) =>
        setFocusedId(target.closest('[data-video]')?.getAttribute('data-video') ?? null)
      }
      onBlur={() => setFocusedId(null)}
    >
      {cards.getVirtualItems().map(({ index, start }) => {
        const video = videos[index]
        return video === undefined ? null : (
          <li
            key={video.uploadRequestId}
            ref={cards.measureElement}
            data-index={index}
            data-video={video.uploadRequestId}
            aria-setsize={videos.length}
            aria-posinset={index + 1}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${start - topPx}px)` }}
          >
            <EditCard
              video={video}
              isOnline={isOnline}
              pulledIds={pulledIds}
              isNameShared={known.sharedNames.has(video.name)}
              waitingName={known.waitingNames.get(video.uploadRequestId) ?? null}
              expandedIds={expandedIds}
              onToggle={toggle}
            />
          </li>
        )
      })}
    </ul>
  )
}

/** Which cards are in the page, and where the list begins in it. */
function useCards(
  videos: readonly LibraryVideo[],
  {
    list,
    left,
    focusedAt,
  }: {
    readonly list: RefObject<HTMLElement | null>
    readonly left: LibraryPlace | null
    readonly focusedAt: number
  },
) {
  const isNarrow = useIsNarrow()
  const [topPx, setTopPx] = useState(0)
  useLayoutEffect(() => setTopPx(list.current?.offsetTop ?? 0), [list])
  // The compiler leaves this component alone; its cards are memoised by themselves.
  // oxlint-disable-next-line react/incompatible-library
  const cards = useWindowVirtualizer({
    count: videos.length,
    estimateSize: () => (isNarrow ? CARD_PX.narrow : CARD_PX.wide),
    gap: GAP_PX,
    overscan: videos.length <= WHOLE_UP_TO ? WHOLE_UP_TO : CARDS_AROUND,
    scrollMargin: topPx,
    getItemKey: (index) => videos[index]?.uploadRequestId ?? index,
    rangeExtractor: (range) => withFocused(range, focusedAt),
    ...(left === null
      ? {}
      : { initialOffset: left.scrollPx, initialMeasurementsCache: left.sizes }),
  })
  return { cards, topPx }
}

const NONE: ReadonlySet<string> = new Set()

function withFocused(range: Range, focusedAt: number): number[] {
  const near = defaultRangeExtractor(range)
  return focusedAt < 0 || near.includes(focusedAt)
    ? near
    : [...near, focusedAt].toSorted((a, b) => a - b)
}
