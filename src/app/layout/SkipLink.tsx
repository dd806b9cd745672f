/** The first stop of the Tab key: past the header, to the page's own part. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-[70] focus:rounded-control focus:bg-surface-raised focus:px-4 focus:py-3 focus:font-semibold focus:shadow-3"
    >
      Skip to content
    </a>
  )
}
