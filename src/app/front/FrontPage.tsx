import { SkipLink } from '#src/app/layout/SkipLink.tsx'
import { Menu as MenuIcon, X } from 'lucide-react'
import { useState } from 'react'
import { FOOTER_LINK, FOOTER_LINKS } from '#src/app/layout/footer-links.ts'
import { FOOTER_LOOK, FOOTER_ROW, HEADER_ROW, LOGO_LINK } from '#src/app/layout/frame-look.ts'
import { Logo } from '#src/app/layout/Logo.tsx'
import { navigationItems } from '#src/app/layout/navigation.ts'
import { SocialLinks } from '#src/app/layout/SocialLinks.tsx'
import { TestPaymentsNotice } from '#src/app/layout/TestPaymentsNotice.tsx'
import { env } from '#src/config/env.ts'
import { paths } from '#src/config/paths.ts'
import type { FrontPage as Facts } from '#src/features/landing/front-page.ts'
import { LandingPage } from '#src/features/landing/LandingPage.tsx'
import { buttonLook } from '#src/ui/button-look.ts'

/**
 * [Note: front page] The whole page of visitors, without the app: the server writes it before a
 * script runs, and the browser only makes its buttons work. It is a document of its own, so its
 * links load the app. What stands around its sections looks like `RootLayout` and shares its words.
 */
export function FrontPage({ facts }: { readonly facts: Facts }) {
  return (
    <>
      <SkipLink />
      <div className="flex min-h-dvh flex-col">
        {facts.payments.isPublicTest ? <TestPaymentsNotice /> : null}
        <FrontHeader />
        <main id="main" tabIndex={-1} className="flex flex-1 flex-col outline-none">
          <LandingPage facts={facts} />
        </main>
        <FrontFooter facts={facts} />
      </div>
    </>
  )
}

const ITEMS = navigationItems(null, env)

function FrontHeader() {
  const [isOpen, setOpen] = useState(false)
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-canvas/85 pt-[env(safe-area-inset-top)] backdrop-blur-lg print:hidden">
      <div className={HEADER_ROW}>
        <a href={paths.landing} aria-label="Onecut, start page" className={LOGO_LINK}>
          <Logo />
        </a>
        <nav aria-label="Main" className="ml-auto hidden items-center gap-1.5 md:flex">
          {ITEMS.map(({ path, label, kind }) => (
            <a
              key={path}
              href={path}
              className={
                kind === 'button' ? buttonLook('primary') : buttonLook('quiet', 'medium', 'px-4')
              }
            >
              {label}
            </a>
          ))}
        </nav>
        <button
          type="button"
          aria-label={isOpen ? 'Close menu' : 'Open menu'}
          aria-expanded={isOpen}
          aria-controls="small-menu"
          onClick={() => setOpen(!isOpen)}
          className="-mr-2 ml-auto grid size-11 cursor-pointer place-items-center rounded-full text-ink-muted hover:bg-surface-sunken hover:text-ink md:hidden"
        >
          {isOpen ? (
            <X aria-hidden className="size-5" />
          ) : (
            <MenuIcon aria-hidden className="size-5" />
          )}
        </button>
      </div>
      {isOpen ? <FrontMenu onClose={() => setOpen(false)} /> : null}
    </header>
  )
}

function FrontMenu({ onClose }: { readonly onClose: () => void }) {
  return (
    <nav
      id="small-menu"
      aria-label="Main"
      className="animate-fade border-t border-line bg-canvas px-3 py-3 shadow-2 md:hidden"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <ul className="grid gap-0.5">
        {ITEMS.map(({ path, label }) => (
          <li key={path}>
            <a
              href={path}
              className="flex min-h-12 items-center rounded-control px-3 font-semibold text-ink hover:bg-surface-sunken"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function FrontFooter({ facts }: { readonly facts: Facts }) {
  return (
    <footer className={FOOTER_LOOK}>
      <div className={FOOTER_ROW}>
        <Logo />
        <p>Onecut, Toronto, Canada</p>
        <p className="flex flex-wrap gap-x-6 gap-y-2">
          {FOOTER_LINKS.map(({ to, title }) => (
            <a key={to} href={to} className={FOOTER_LINK}>
              {title}
            </a>
          ))}
          <SocialLinks links={facts.socialLinks} />
          {facts.supportMail === null ? null : (
            <a href={`mailto:${facts.supportMail}`} className={FOOTER_LINK}>
              {facts.supportMail}
            </a>
          )}
        </p>
      </div>
    </footer>
  )
}
