import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'

/**
 * The room of an error below a field, which stays when the error goes. A field tells what was typed
 * when it is left: a button below it would move away under the finger that leaves the field, and
 * its press would do nothing.
 */
export function KeptRoom({
  className,
  children,
}: {
  /** While there has been no error. */
  readonly className: string
  readonly children: ReactNode
}) {
  const room = useRef<HTMLDivElement>(null)
  const [heightPx, setHeightPx] = useState(0)
  useLayoutEffect(() => {
    setHeightPx((most) => Math.max(most, room.current?.offsetHeight ?? 0))
  }, [children])
  return (
    <div ref={room} style={{ minHeight: heightPx }} className={heightPx === 0 ? className : ''}>
      {children}
    </div>
  )
}
