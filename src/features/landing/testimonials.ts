/** One testimonial of the carousel. */
export interface Testimonial {
  readonly id: string
  readonly name: string
  readonly role: string
  /** The creator's own site. */
  readonly url: string
  readonly quote: string
  readonly videoUrl: string
  readonly thumbnailUrl: string
}

/**
 * The two built-in testimonials. Their names, sites (reserved names, RFC 2606) and pictures are
 * made up. Replace them with real ones, with the consent of the people shown, before the page faces
 * the public.
 */
export const testimonials: readonly Testimonial[] = [
  {
    id: 'mara',
    name: 'Mara Voss',
    role: 'Content Creator',
    url: 'https://mara.example',
    quote:
      'I used to lose my Sundays to cutting teasers. Now I upload the scene, tick three formats and go for a walk. The files are there when I am back.',
    videoUrl: '/landing/voice-1.mp4',
    thumbnailUrl: '/landing/voice-1.jpg',
  },
  {
    id: 'jules',
    name: 'Jules Arden',
    role: 'Content Creator',
    url: 'https://jules.example',
    quote:
      'The watermark and the GIF pack alone pay for it. My channels look like I have a whole team, and everything I get back is mine.',
    videoUrl: '/landing/voice-2.mp4',
    thumbnailUrl: '/landing/voice-2.jpg',
  },
]
