ALTER TABLE `devices` ADD `opening_hours` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `playlists` ADD `made_for_owner` integer DEFAULT false NOT NULL;