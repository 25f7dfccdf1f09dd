CREATE TABLE `password_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`made_by` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `password_links_user` ON `password_links` (`user_id`);--> statement-breakpoint
CREATE TABLE `publish_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`playlist_id` text NOT NULL,
	`revision` integer NOT NULL,
	`user_id` text,
	`user_name` text NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`decided_at` integer,
	`decided_by` text,
	`decided_by_name` text,
	`answer` text DEFAULT '' NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`playlist_id`) REFERENCES `playlists`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `publish_requests_waiting` ON `publish_requests` (`playlist_id`) WHERE "publish_requests"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX `publish_requests_workspace` ON `publish_requests` (`workspace_id`,`state`,`created_at`);--> statement-breakpoint
ALTER TABLE `devices` ADD `temperature_c` real;--> statement-breakpoint
ALTER TABLE `telemetry` ADD `temperature_c` real;--> statement-breakpoint
ALTER TABLE `workspace_members` ADD `duty` text DEFAULT 'all' NOT NULL;--> statement-breakpoint
ALTER TABLE `workspace_members` ADD `folder_ids` text;--> statement-breakpoint
ALTER TABLE `workspace_members` ADD `group_ids` text;--> statement-breakpoint
ALTER TABLE `workspace_members` ADD `approves` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `approval` integer DEFAULT 0 NOT NULL;