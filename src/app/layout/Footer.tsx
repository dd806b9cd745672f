import { useState } from 'react'
import { Link } from 'react-router'
import { Logo } from './Logo.tsx'
import { HelpDialog } from '#src/app/support/HelpDialog.tsx'
import { SUPPORT_MAIL } from '#src/app/support/support-mail.ts'
import { paths } from '#src/config/paths.ts'

const LINK =
  'font-medium text-ink underline decoration-line-strong underline-offset-4 hover:decoration-current'

/** The company's line and the way to support. Links to other legal texts join with their pages. */
export function Footer() {
  const [isHelpOpen, setHelpOpen] = useState(false)
  return (
    <footer className="border-t border-line bg-canvas">
      <div className="mx-auto flex max-w-content flex-wrap items-center justify-between gap-x-8 gap-y-4 px-4 py-8 text-sm text-ink-muted sm:px-6 lg:px-8">
        <Logo />
        <p>Onecut, Toronto, Canada</p>
        <p className="flex flex-wrap gap-x-6 gap-y-2">
          <button
            type="button"
            className={`cursor-pointer ${LINK}`}
            onClick={() => setHelpOpen(true)}
          >
            Help
          </button>
          <Link to={paths.referralTerms} className={LINK}>
            Referral terms
          </Link>
          <a href={`mailto:${SUPPORT_MAIL}`} className={LINK}>
            {SUPPORT_MAIL}
          </a>
        </p>
      </div>
      <HelpDialog isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </footer>
  )
}
