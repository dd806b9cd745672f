import { Logo } from './Logo.tsx'

/** A reserved name (RFC 2606) until the product has its address. */
const SUPPORT_MAIL = 'support@onecut.example'

/** The company's line and the way to people. Links to legal texts join with their pages. */
export function Footer() {
  return (
    <footer className="border-t border-line bg-canvas">
      <div className="mx-auto flex max-w-content flex-wrap items-center justify-between gap-x-8 gap-y-4 px-4 py-8 text-sm text-ink-muted sm:px-6 lg:px-8">
        <Logo />
        <p>Onecut, Toronto, Canada</p>
        <a
          href={`mailto:${SUPPORT_MAIL}`}
          className="font-medium text-ink underline decoration-line-strong underline-offset-4 hover:decoration-current"
        >
          {SUPPORT_MAIL}
        </a>
      </div>
    </footer>
  )
}
