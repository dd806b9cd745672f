import { useState } from 'react'
import { Link } from 'react-router'
import { FOOTER_LINK, FOOTER_LINKS } from './footer-links.ts'
import { FOOTER_LOOK, FOOTER_ROW } from './frame-look.ts'
import { Logo } from './Logo.tsx'
import { SocialLinks } from './SocialLinks.tsx'
import { SupportDialog } from '#src/app/support/SupportDialog.tsx'
import { useFrontPage } from '#src/hooks/server/use-front-page.ts'
import { useSupportMail } from '#src/hooks/server/use-support-mail.ts'

/** The company's line, the help, the legal texts and the way to support. */
export function Footer() {
  const { facts } = useFrontPage()
  const [isSupportOpen, setSupportOpen] = useState(false)
  const supportMail = useSupportMail()
  return (
    <footer className={FOOTER_LOOK}>
      <div className={FOOTER_ROW}>
        <Logo />
        <p>Onecut, Toronto, Canada</p>
        <p className="flex flex-wrap gap-x-6 gap-y-2">
          <button
            type="button"
            className={`cursor-pointer ${FOOTER_LINK}`}
            onClick={() => setSupportOpen(true)}
          >
            Contact support
          </button>
          {FOOTER_LINKS.map(({ to, title }) => (
            <Link key={to} to={to} className={FOOTER_LINK}>
              {title}
            </Link>
          ))}
          <SocialLinks links={facts?.socialLinks ?? []} />
          {supportMail == null ? null : (
            <a href={`mailto:${supportMail}`} className={FOOTER_LINK}>
              {supportMail}
            </a>
          )}
        </p>
      </div>
      <SupportDialog isOpen={isSupportOpen} onClose={() => setSupportOpen(false)} />
    </footer>
  )
}
