CREATE TABLE `release_files` (
	`release_id` text NOT NULL,
	`name` text NOT NULL,
	`platform` text NOT NULL,
	`arch` text NOT NULL,
	`kind` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`sha512` text NOT NULL,
	PRIMARY KEY(`release_id`, `name`),
	FOREIGN KEY (`release_id`) REFERENCES `releases`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `releases` (
	`id` text PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `releases_version_unique` ON `releases` (`version`);--> statement-breakpoint
CREATE TABLE `rollout_devices` (
	`rollout_id` text NOT NULL,
	`device_id` text NOT NULL,
	`status` text NOT NULL,
	`told_at` integer,
	`seen_at` integer,
	`error` text,
	PRIMARY KEY(`rollout_id`, `device_id`),
	FOREIGN KEY (`rollout_id`) REFERENCES `rollouts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `rollout_devices_device` ON `rollout_devices` (`device_id`);--> statement-breakpoint
CREATE TABLE `rollouts` (
	`id` text PRIMARY KEY NOT NULL,
	`release_id` text NOT NULL,
	`status` text NOT NULL,
	`stage` text NOT NULL,
	`first_device_id` text NOT NULL,
	`group_ids` text NOT NULL,
	`minutes` integer NOT NULL,
	`reason` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`release_id`) REFERENCES `releases`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `rollouts_release` ON `rollouts` (`release_id`);