ALTER TABLE `chain_links` ADD `store_values` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `chain_links` ADD `seal_key` text;--> statement-breakpoint
ALTER TABLE `chain_links` ADD `stick_in` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `chain_links` ADD `stick_out` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `hq_stores` ADD `store_values` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `hq_stores` ADD `seal_key` text;--> statement-breakpoint
ALTER TABLE `hq_stores` ADD `stick_in` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `hq_stores` ADD `stick_out` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `published_items_slot` ON `published_items` (`slot_id`) WHERE "published_items"."slot_id" IS NOT NULL;