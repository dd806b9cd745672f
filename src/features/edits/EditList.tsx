import { defaultRangeExtractor, useWindowVirtualizer, type Range } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { LibraryEntry } from '#src/hooks/use-library.ts'
import type { WaitingName } from '#src/hooks/use-outbox.ts'
import { useIsNarrow } from '#src/ui/use-is-narrow.ts'
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
  readonly entries: readonly LibraryEntry[]
  /** Ids of jobs that need no pull of their own; null while none may have one. */
  readonly pulledIds: ReadonlySet<string> | null
  /** Names that more than one job on this device has. */
  readonly sharedNames: ReadonlySet<string>
  /** Videos of which this device has more than one job. */
  readonly sharedVideos: ReadonlySet<string>
  readonly waitingNames: ReadonlyMap<string, WaitingName>
  readonly isOnline: boolean
}

/**
 * The cards of the library. Of a long one, only those near the view are in the page, and the one
 * that has the focus; each says which of how many it is. Coming back shows the same place.
 */
export function EditList({ entries, pulledIds, isOnline, ...known }: EditListProps) {
  const list = useRef<HTMLUListElement>(null)
  const left = useLeftPlace()
  const [expandedIds, setExpandedIds] = useState<ReadonlySet<string>>(left?.expandedIds ?? NONE)
  const [focusedId, setFocusedId] = useState<string | null>(null)
  const focusedAt = entries.findIndex(({ _id }) => _id === focusedId)
  const { cards, topPx } = useCards(entries, { list, left, focusedAt })
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
        setFocusedId(target.closest('[data-job]')?.getAttribute('data-job') ?? null)
      }
      onBlur={() => setFocusedId(null)}
    >
      {cards.getVirtualItems().map(({ index, start }) => {
        const entry = entries[index]
        return entry === undefined ? null : (
          <li
            key={entry._id}
            ref={cards.measureElement}
            data-index={index}
            data-job={entry._id}
            aria-setsize={entries.length}
            aria-posinset={index + 1}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${start - topPx}px)` }}
          >
            <EditCard
              entry={entry}
              isOnline={isOnline}
              isPulled={pulledIds === null || pulledIds.has(entry._id)}
              isNameShared={known.sharedNames.has(entry.name)}
              hasSiblings={known.sharedVideos.has(entry.uploadRequestId)}
              waitingName={known.waitingNames.get(entry.uploadRequestId) ?? null}
              isExpanded={expandedIds.has(entry._id)}
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
  entries: readonly LibraryEntry[],
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
    count: entries.length,
    estimateSize: () => (isNarrow ? CARD_PX.narrow : CARD_PX.wide),
    gap: GAP_PX,
    overscan: entries.length <= WHOLE_UP_TO ? WHOLE_UP_TO : CARDS_AROUND,
    scrollMargin: topPx,
    getItemKey: (index) => entries[index]?._id ?? index,
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
