import { boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'

export const presets = pgTable('presets', {
  id: uuid('id').primaryKey(),
  slug: text('slug').notNull().unique(),
  name: text('name').notNull(),
  description: text('description').notNull(),
  imageUrl: text('image_url').notNull(),
  tab: text('tab', { enum: ['promotional', 'full-scene'] }).notNull(),
  badge: text('badge', { enum: ['popular', 'new'] }),
  hasOptions: boolean('has_options').notNull(),
  pricingStrategies: jsonb('pricing_strategies').notNull(),
  position: integer('position').notNull(),
  isVisible: boolean('is_visible').notNull().default(true),
})
