import { useState, type PointerEvent } from 'react'

/** One of a row of places that is being dragged, and the place that it would take. */
interface Drag {
  readonly from: number
  readonly over: number
  readonly pointerId: number
}

/** What the handle of a place needs; it must not scroll by touch (`touch-none`). */
type HandleProps = Record<
  'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel',
  (event: PointerEvent<HTMLElement>) => void
>

/**
 * Drags one of a row of places onto another by its handle, with mouse, pen or finger. The browser's
 * own dragging has no touch on most phones.
 * @param onDrop with two places that differ
 */
export function useDrag(onDrop: (from: number, to: number) => void): {
  readonly drag: Pick<Drag, 'from' | 'over'> | null
  /** Marks the element of a place, so that what is dragged over it finds it. */
  placeProps(index: number): { readonly 'data-drag-place': number }
  handleProps(index: number): HandleProps
} {
  const [drag, setDrag] = useState<Drag | null>(null)
  const isOurs = ({ pointerId }: PointerEvent): boolean => drag?.pointerId === pointerId
  return {
    drag,
    placeProps: (index) => ({ 'data-drag-place': index }),
    handleProps: (index) => ({
      onPointerDown: (event) => {
        // A second finger, or another button than the first.
        if (drag !== null || event.button !== 0) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ from: index, over: index, pointerId: event.pointerId })
      },
      onPointerMove: (event) => {
        const over = isOurs(event) ? placeUnder(event) : null
        if (drag === null || over === null || over.index === drag.over) return
        // Places at the edge come into view, so that the next ones can be reached.
        over.element.scrollIntoView({ block: 'nearest' })
        setDrag({ ...drag, over: over.index })
      },
      onPointerUp: (event) => {
        if (drag === null || !isOurs(event)) return
        setDrag(null)
        // The last move may not have been drawn yet.
        const to = placeUnder(event)?.index ?? drag.over
        if (to !== drag.from) onDrop(drag.from, to)
      },
      onPointerCancel: (event) => {
        if (isOurs(event)) setDrag(null)
      },
    }),
  }
}

function placeUnder({
  clientX,
  clientY,
}: PointerEvent): { readonly element: Element; readonly index: number } | null {
  const element = document.elementFromPoint(clientX, clientY)?.closest('[data-drag-place]')
  const index = element?.getAttribute('data-drag-place')
  return element === undefined || element === null || index === null || index === undefined
    ? null
    : { element, index: Number(index) }
}
