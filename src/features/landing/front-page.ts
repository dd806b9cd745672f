import type { components } from '#openapi/schema.gen.ts'

/** What is true of the server, as the page may say it; the contract has the words. */
export type FrontPage = components['schemas']['FrontPage']
export type Testimonial = components['schemas']['Testimonial']
export type FormatSlug = FrontPage['formats'][number]['slug']
