import type { ReactNode } from 'react'
import { FOOTER_LINK, FOOTER_LINKS } from '#src/app/layout/footer-links.ts'
import {
  FOOTER_LOOK,
  FOOTER_ROW,
  HEADER_LOOK,
  HEADER_ROW,
  LOGO_LINK,
  PRIVATE_LOOK,
} from '#src/app/layout/frame-look.ts'
import { Logo } from '#src/app/layout/Logo.tsx'
import { SkipLink } from '#src/app/layout/SkipLink.tsx'
import { navigationItems } from '#src/app/layout/navigation.ts'
import { env } from '#src/config/env.ts'
import { paths } from '#src/config/paths.ts'
import { buttonLook } from '#src/ui/button-look.ts'

/**
 * [Note: shell] What a page shows before its script has started, written by the build: the places
 * of `RootLayout` with what is true of every visit. Links work without the app. What needs the app
 * is not here, or drawn as not ready; what depends on the account waits for the app.
 */
export function Shell({
  isVisitor,
  children,
}: {
  readonly isVisitor: boolean
  readonly children: ReactNode
}) {
  return (
    <>
      <SkipLink />
      <div className="flex min-h-dvh flex-col">
        <header className={HEADER_LOOK}>
          <div className={HEADER_ROW}>
            <a href={paths.landing} aria-label="Onecut, start page" className={LOGO_LINK}>
              <Logo />
            </a>
            {isVisitor ? <VisitorLinks /> : null}
            {/* The place of the menu. */}
            <div className="ml-auto md:ml-0" />
          </div>
        </header>
        <main id="main" tabIndex={-1} aria-busy className="flex flex-1 flex-col outline-none">
          {isVisitor ? children : <div className={PRIVATE_LOOK}>{children}</div>}
        </main>
        <ShellFooter />
      </div>
    </>
  )
}

function VisitorLinks() {
  return (
    <nav aria-label="Main" className="ml-auto hidden items-center gap-1.5 md:flex">
      {navigationItems(null, env).map(({ path, label, kind }) => (
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
  )
}

function ShellFooter() {
  return (
    <footer className={FOOTER_LOOK}>
      <div className={FOOTER_ROW}>
        <Logo />
        <p>Onecut, Toronto, Canada</p>
        <p className="flex flex-wrap gap-x-6 gap-y-2">
          {/* Needs the app. */}
          <span className="text-ink-muted">Contact support</span>
          {FOOTER_LINKS.map(({ to, title }) => (
            <a key={to} href={to} className={FOOTER_LINK}>
              {title}
            </a>
          ))}
        </p>
      </div>
    </footer>
  )
}
