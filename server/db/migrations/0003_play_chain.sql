CREATE TABLE `play_seals` (
	`id` integer PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`device_id` text NOT NULL,
	`first_play` integer NOT NULL,
	`last_play` integer NOT NULL,
	`first` integer NOT NULL,
	`through` integer NOT NULL,
	`prev` text NOT NULL,
	`head` text NOT NULL,
	`signature` text NOT NULL,
	`signing_key` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `play_seals_device` ON `play_seals` (`device_id`,`id`);--> statement-breakpoint
ALTER TABLE `devices` ADD `signing_key` text;--> statement-breakpoint
ALTER TABLE `plays` ADD `boot_id` text;--> statement-breakpoint
ALTER TABLE `plays` ADD `uncertainty_ms` real;--> statement-breakpoint
ALTER TABLE `plays` ADD `claimed` text;