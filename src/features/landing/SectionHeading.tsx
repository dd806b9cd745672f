import type { ReactNode } from 'react'

/** The heading of a landing section, centred, with one sentence under it. */
export function SectionHeading({
  id,
  title,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly children?: ReactNode
}) {
  return (
    <div className="mx-auto mb-10 max-w-2xl text-center sm:mb-14">
      <h2 id={id} className="text-3xl font-bold sm:text-4xl">
        {title}
      </h2>
      {children === undefined ? null : <p className="mt-4 text-lg text-ink-muted">{children}</p>}
    </div>
  )
}
