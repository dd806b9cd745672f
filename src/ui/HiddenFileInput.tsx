import type { RefObject } from 'react'

/** For browsers without a picker of their own. */
export function HiddenFileInput({
  accept,
  ref,
  onChoose,
}: {
  readonly accept: string
  readonly ref: RefObject<HTMLInputElement | null>
  readonly onChoose: (file: File) => void
}) {
  return (
    <input
      ref={ref}
      type="file"
      accept={accept}
      tabIndex={-1}
      aria-hidden
      className="sr-only"
      onChange={(event) => {
        const file = event.target.files?.[0]
        event.target.value = ''
        if (file !== undefined) onChoose(file)
      }}
    />
  )
}
