/** Makes the buttons of the front page work; the server wrote the rest ([Note: front page]). */
import { hydrateRoot } from 'react-dom/client'
import { FrontPage } from '#src/app/front/FrontPage.tsx'
import type { FrontPage as Facts } from '#src/features/landing/front-page.ts'

const [element, facts] = ['root', 'front-page'].map((id) => document.getElementById(id))
if (element == null || facts == null) throw new Error('the front page is not written')
// Written into this document by the server of the same build.
hydrateRoot(element, <FrontPage facts={JSON.parse(facts.textContent) as Facts} />)
